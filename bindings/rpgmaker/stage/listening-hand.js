// A test's script in the game: reports the state of the game and fetches the next Script command. It runs beside the
// frame loop, so that it can also report a game that stopped.
(function () {
  function ask() {
    var request = new XMLHttpRequest();
    var state = JSON.stringify({
      frame: window.$game.frame,
      ran: window.$game.ran,
      stopped: window.$game.stopped,
      errors: window.$game.errors,
      config: window.KitSDK ? window.KitSDK.Config : null,
    });
    request.open("GET", window.$setup.hand.next + "?state=" + encodeURIComponent(state));
    request.onload = function () {
      if (request.status === 200) window.$game.command(request.responseText);
    };
    request.onloadend = function () {
      setTimeout(ask, 30);
    };
    request.send();
  }
  window.addEventListener("load", ask);
})();
