# A game that says all three things. Without a screen it says each once and ends.
extends Control

@onready var _said: Label = %Said


func _ready() -> void:
	if DisplayServer.get_name() == "headless":
		_on_clip_pressed()
		_on_error_pressed()
		_on_post_pressed()
		get_tree().quit()


func _on_clip_pressed() -> void:
	KitSDK.recording.trigger_event("mygame_boss_defeated")
	_said.text = "This moment is worth a clip."


func _on_error_pressed() -> void:
	KitSDK.monitor.report_error("The save file is damaged", str(get_stack()))
	_said.text = "This went wrong."


func _on_post_pressed() -> void:
	KitSDK.social.trigger_event("mygame_all_stars")
	_said.text = "This is worth telling."
