# What the binding says, which is nothing unless debug logging is on. From any thread.
extends RefCounted

const KitSettings = preload("res://addons/kit_sdk/kit_settings.gd")

var _settings: KitSettings


func _init(settings: KitSettings) -> void:
	_settings = settings


func tell(text: String) -> void:
	if _settings.debug_logging:
		print("Kit: ", text)


func warn(text: String) -> void:
	if _settings.debug_logging:
		push_warning("Kit: " + text)
