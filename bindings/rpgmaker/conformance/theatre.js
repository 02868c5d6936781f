// The page in which cases are played one after another, each as a game in a frame of its own. Frames of cases that are
// over stay until the end, so that what is pending in them may still leave.
(() => {
  function ask(after) {
    const request = new XMLHttpRequest();
    request.open("GET", `${window.$theatre.next}?after=${after}`);
    request.onload = () => {
      if (request.status === 200) show(request.responseText);
    };
    request.send();
  }

  /** The answer to the next question comes when this case is over. */
  function show(number) {
    const frame = document.createElement("iframe");
    frame.width = frame.height = "8";
    frame.src = `${number}/index.html`;
    document.body.appendChild(frame);
    ask(number);
  }

  window.addEventListener("load", () => ask(""));
})();
