// The plugin list of a game that uses Kit: js/plugins.js of an MV or MZ project, as the plugin manager writes it.
// In a project that has plugins already, copy the one entry.
var $plugins = [
  {
    name: "KitSDK",
    status: true,
    description: "Sends recording triggers, error reports and social triggers to a Kit launcher.",
    parameters: {
      "Launcher URL": "http://127.0.0.1:9876",
      "Enable Recording": "true",
      "Enable Monitor": "true",
      "Enable Social": "true",
      Build: "",
      "Report Uncaught Errors": "false",
    },
  },
];
