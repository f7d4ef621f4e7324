// Runs the library beside the page, so that the page never waits for it.
let loading;
let told = 0;

const page = {
  progress(done, all) {
    const now = performance.now();
    if (now - told < 100) return;
    told = now;
    postMessage({ progress: all ? done / all : null });
  },
};

async function answer(request) {
  const library = (await loading).instance.exports;
  const bytes = new TextEncoder().encode(request);
  // The memory is asked for after every call, since a call may move it.
  const place = library.room(bytes.length);
  new Uint8Array(library.memory.buffer, place, bytes.length).set(bytes);
  const size = library.answer();
  const from = library.answer_at();
  return new TextDecoder().decode(new Uint8Array(library.memory.buffer, from, size));
}

onmessage = async ({ data }) => {
  try {
    if (data.library) loading = WebAssembly.instantiate(data.library, { page });
    else postMessage({ id: data.id, answer: await answer(data.request) });
  } catch (error) {
    postMessage({ id: data.id, broken: String(error) });
  }
};
