// What the page holds is compressed, and written in letters.
async function unpack(id) {
  const text = document.getElementById(id).textContent.trim();
  if (!text) return null;
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function unpackText(id) {
  const bytes = await unpack(id);
  return bytes && new TextDecoder().decode(bytes);
}
// All parts are unpacked at once, beside each other.
window.parts = { script: unpackText("script"), worker: unpackText("worker"), wasm: unpack("wasm"), table: unpackText("table"), kits: unpackText("kits") };
