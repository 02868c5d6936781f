// Lines for an event's Script command, one block an event page. The same in MV and MZ.

// After the boss battle, on the branch "If Win": a clip of the moment.
KitSDK.Recording.triggerEvent("mygame_boss_defeated");

// When the last star is found: something to tell.
KitSDK.Social.triggerEvent("mygame_all_stars");

// An event that may go wrong: the game goes on, and you hear of it.
try {
  $gameParty.gainItem($dataItems[$gameVariables.value(7)], 1);
} catch (error) {
  KitSDK.Monitor.reportError(error.message, error.stack);
}

// A state that should never be reached.
if ($gameVariables.value(3) < 0) KitSDK.Monitor.reportError("Gold is negative", "Map " + $gameMap.mapId());

// All three, to see them arrive.
KitSDK.Recording.triggerEvent("mygame_hello");
KitSDK.Social.triggerEvent("mygame_hello");
KitSDK.Monitor.reportError("hello");
