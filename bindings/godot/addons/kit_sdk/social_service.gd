## Moments worth telling. Reached as [code]KitSDK.social[/code].
extends "res://addons/kit_sdk/kit_operation.gd"


## Tells the launcher that this moment is worth telling. Returns at once and never fails, whether or not a launcher
## runs; the time it tells is that of this call.[br][br]
## [param event_id] is written [code]<game>_<event>[/code] by convention; the launcher takes 1 to 200 characters. When it
## is empty nothing is sent.[br][br]
## May be called from any thread, and while the game is paused.
func trigger_event(event_id: String) -> void:
	if event_id.is_empty():
		_log.warn("social.trigger_event: the event ID is empty; nothing was sent")
	elif _settings.enable_social:
		@warning_ignore("return_value_discarded")
		_transport.post(KitConstants.SOCIAL_PATH, {"eventId": event_id})
