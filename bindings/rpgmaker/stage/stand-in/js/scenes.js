// The frame loop. As in both generations, any error that reaches it stops the game.
(function () {
  var isMz = window.$setup.flavour === "mz";
  var isStarted = false;
  var waiting = [];

  var game = { frame: 0, ran: 0, stopped: false, halted: false, errors: [] };
  window.$game = game;

  function stop(kind, reason) {
    game.stopped = true;
    game.errors.push(kind + ": " + (reason && reason.message ? reason.message : reason));
  }

  function update() {
    if (game.stopped || game.halted) return;
    try {
      window.PluginManager.checkErrors();
      game.frame += 1;
      // A Script command of an event is evaluated inside the frame.
      if (waiting.length > 0) (0, eval)(waiting.shift());
    } catch (error) {
      window.SceneManager.catchException(error);
    }
    requestAnimationFrame(update);
  }

  window.$game.command = function (script) {
    game.ran += 1;
    waiting.push(script);
  };

  window.SceneManager = {
    // Scenes are no longer updated, but the page and its events go on.
    stop: function () {
      game.halted = true;
    },
    catchException: function (error) {
      stop("exception", error);
    },
    // The engines need a frame or two from a quit command to this. Leaving at once is the harder case.
    exit: function () {
      window.close();
    },
  };

  window.addEventListener("error", function (event) {
    // While plugins load, MV only logs an error, but MZ refuses to start.
    if (isStarted || isMz) if (event.filename || event.lineno) stop("error", event.message);
  });
  window.addEventListener("unhandledrejection", function (event) {
    if (isMz) stop("rejection", event.reason);
  });
  if (isMz && typeof nw === "object" && window === window.top) {
    nw.Window.get().on("close", function () {
      nw.App.quit();
    });
  }
  window.addEventListener("load", function () {
    isStarted = true;
    requestAnimationFrame(update);
  });
})();
