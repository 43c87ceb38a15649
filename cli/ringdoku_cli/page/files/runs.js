// Questions to the server. It answers each with a stream of events, one line of JSON each.

// Asks a question. `on` has the handlers progress, result and error; result or error is called once. Returns a function that cancels.
export function ask(question, on) {
  const aborter = new AbortController();
  let isOver = false;
  const handle = (kind, data) => {
    if (isOver) return;
    isOver = kind !== "progress";
    on[kind](data);
  };
  const failed = () => handle("error", { text: "ringdoku does not answer: is it still running?" });
  const read = async (response) => {
    if (!response.ok) return handle("error", { text: await response.text() });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let unfinished = [];
    for (let { done, value } = await reader.read(); !done; ({ done, value } = await reader.read())) {
      const lines = value.split("\n");
      unfinished.push(lines.shift());
      for (const line of lines) {
        handle(...JSON.parse(unfinished.join("")));
        unfinished = [line];
      }
    }
    failed();
  };
  fetch("ask", { method: "POST", body: JSON.stringify(question), signal: aborter.signal }).then(read).catch(failed);
  return () => {
    handle("error", { text: "Cancelled.", cancelled: true });
    aborter.abort();
  };
}
