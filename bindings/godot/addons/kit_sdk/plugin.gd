# Editor side: registers the autoload KitSDK and shows its settings. Takes no part in the game.
@tool
extends EditorPlugin

const KitSettings = preload("kit_settings.gd")

const AUTOLOAD_NAME: String = "KitSDK"
const AUTOLOAD_PATH: String = "res://addons/kit_sdk/kit_sdk.gd"


# Not in _enable_plugin: the editor does not call that for a plugin that a copied or merged project.godot lists already.
func _enter_tree() -> void:
	KitSettings.declare()
	if not ProjectSettings.has_setting("autoload/" + AUTOLOAD_NAME):
		add_autoload_singleton(AUTOLOAD_NAME, AUTOLOAD_PATH)


# The settings stay: whoever enables the plugin again finds them as they were.
func _disable_plugin() -> void:
	if ProjectSettings.has_setting("autoload/" + AUTOLOAD_NAME):
		remove_autoload_singleton(AUTOLOAD_NAME)
