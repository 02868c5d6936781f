# Editor side: registers the autoload KitSDK and shows its settings. Takes no part in the game.
@tool
extends EditorPlugin

const KitSettings = preload("res://addons/kit_sdk/kit_settings.gd")

const AUTOLOAD_NAME: String = "KitSDK"
const AUTOLOAD_PATH: String = "res://addons/kit_sdk/kit_sdk.gd"


# Not in _enable_plugin: the editor does not call that for a plugin that a copied or merged project.godot lists already.
func _enter_tree() -> void:
	KitSettings.declare()
	if not ProjectSettings.has_setting("autoload/" + AUTOLOAD_NAME):
		_register()


# Kept at once: an editor that imports in CI quits before it keeps anything. As a path: the editor makes it a `uid://`, which
# engines before 4.4 do not know of a script.
func _register() -> void:
	add_autoload_singleton(AUTOLOAD_NAME, AUTOLOAD_PATH)
	ProjectSettings.set_setting("autoload/" + AUTOLOAD_NAME, "*" + AUTOLOAD_PATH)
	if ProjectSettings.save() != OK:
		push_warning("Kit: project.godot cannot be written, so the autoload KitSDK holds until the editor closes.")


# The settings stay: whoever enables the plugin again finds them as they were.
func _disable_plugin() -> void:
	if ProjectSettings.has_setting("autoload/" + AUTOLOAD_NAME):
		remove_autoload_singleton(AUTOLOAD_NAME)
