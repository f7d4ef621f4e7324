// What the page holds is compressed, and written in letters.
async function unpack(id) {
  const text = document.getElementById(id).textContent.trim();
  if (!text) return null;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function unpackText(id) {
  const bytes = await unpack(id);
  return bytes && new TextDecoder().decode(bytes);
}
window.unpack = unpack;
window.unpackText = unpackText;
