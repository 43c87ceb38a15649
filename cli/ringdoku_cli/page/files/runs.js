// Questions to the server, which answers each with a line of JSON for each event, as they happen.

// Asks; `on` has progress, result and error, and exactly one of the last two is called. Returns a function that cancels.
export function ask(question, on) {
  const asking = new AbortController();
  let over = false;
  const end = (kind, data) => {
    if (over) return;
    over = true;
    on[kind](data);
  };
  const tell = (line) => {
    const [kind, data] = JSON.parse(line);
    if (kind !== "progress") end(kind, data);
    else if (!over) on.progress(data);
  };
  const lost = () => end("error", { text: "ringdoku does not answer: is it still running?" });
  const read = async (response) => {
    if (!response.ok) return end("error", { text: await response.text() });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let begun = [];
    for (let { done, value } = await reader.read(); !done; ({ done, value } = await reader.read())) {
      const lines = value.split("\n");
      begun.push(lines.shift());
      for (const line of lines) {
        tell(begun.join(""));
        begun = [line];
      }
    }
    lost();
  };
  fetch("ask", { method: "POST", body: JSON.stringify(question), signal: asking.signal }).then(read).catch(lost);
  return () => {
    end("error", { text: "Cancelled.", cancelled: true });
    asking.abort();
  };
}
