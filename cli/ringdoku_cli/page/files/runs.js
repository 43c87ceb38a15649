// Questions to the server: each is a run, whose events come as they happen.

const MOST_FAILURES = 3;

// Asks; `on` has progress, result and error, and exactly one of the last two is called. Returns a function that cancels.
export function ask(question, on) {
  let source = null, path = null, over = false, failures = 0;
  const end = (kind, data) => {
    if (over) return;
    over = true;
    source?.close();
    on[kind](data);
  };
  const lost = () => end("error", { text: "ringdoku does not answer: is it still running?" });
  const cancel = () => {
    if (path && !over) fetch(path, { method: "DELETE", keepalive: true }).catch(() => {});
    end("error", { text: "Cancelled.", cancelled: true });
  };
  fetch("runs", { method: "POST", body: JSON.stringify(question) }).then(async (response) => {
    if (!response.ok) return end("error", { text: await response.text() });
    path = `runs/${(await response.json()).id}`;
    if (over) return fetch(path, { method: "DELETE" });
    source = new EventSource(`${path}/events`);
    source.addEventListener("progress", (event) => {
      failures = 0;
      if (!over) on.progress(JSON.parse(event.data));
    });
    source.addEventListener("result", (event) => end("result", JSON.parse(event.data)));
    // an error of the connection has the same name, but no data
    source.addEventListener("error", (event) => {
      if (event.data !== undefined) end("error", JSON.parse(event.data));
      else if (source.readyState === EventSource.CLOSED || (failures += 1) > MOST_FAILURES) lost();
    });
  }).catch(lost);
  return cancel;
}
