# Takes events from any thread and sends them from the game's frames, a bounded piece in each.
extends RefCounted

const KitAddress = preload("res://addons/kit_sdk/kit_address.gd")
const KitConstants = preload("res://addons/kit_sdk/kit_constants.gd")
const KitLog = preload("res://addons/kit_sdk/kit_log.gd")
const KitPayload = preload("res://addons/kit_sdk/kit_payload.gd")
const KitRequest = preload("res://addons/kit_sdk/kit_request.gd")
const KitSettings = preload("res://addons/kit_sdk/kit_settings.gd")
const KitTcpRequest = preload("res://addons/kit_sdk/kit_tcp_request.gd")
const KitWebRequest = preload("res://addons/kit_sdk/kit_web_request.gd")

# What a frame may cost. The step under way when it is spent is finished, which takes a fraction of it.
const FRAME_BUDGET_USEC: int = 1000
# How many of the requests under way are looked after in a frame: 64 that wait for a hung launcher are no reason to hurry.
const FRAME_TURNS: int = 16
const QUIT_PAUSE_USEC: int = 500

var _settings: KitSettings
var _log: KitLog
var _mutex: Mutex = Mutex.new()

# Guarded by the mutex.
var _waiting: Array[KitRequest] = []
var _pending: int = 0
var _dropped: int = 0

# The main thread's own.
var _under_way: Array[KitRequest] = []
var _quit_budget_usec: int = KitConstants.QUIT_FLUSH_MS * 1000


func _init(settings: KitSettings, kit_log: KitLog) -> void:
	_settings = settings
	_log = kit_log


# Sends `members`, which are text, or drops them and is false. From any thread; never waits for the network.
func post(path: String, members: Dictionary) -> bool:
	var address: KitAddress = _settings.address()
	if address == null:
		_log.warn("the launcher URL \"%s\" cannot be used; nothing was sent" % _settings.launcher_url)
		return false
	if not _reserve():
		return false
	var payload: KitPayload = KitPayload.new(members)
	var request: KitRequest
	if OS.has_feature("web"):
		request = KitWebRequest.new(address, path, payload)
	else:
		request = KitTcpRequest.new(address, path, payload)
	_mutex.lock()
	_waiting.append(request)
	_mutex.unlock()
	return true


# A piece of the work. Main thread only.
func run(budget_usec: int = FRAME_BUDGET_USEC, turns: int = FRAME_TURNS) -> void:
	if _pending == 0:
		return
	var end_usec: int = Time.get_ticks_usec() + budget_usec
	# Whoever has had its turn goes to the back, so that a spent budget holds up nobody for long.
	for turn: int in mini(turns, _under_way.size()):
		var request: KitRequest = _under_way.pop_front()
		_advance(request, end_usec)
		if Time.get_ticks_usec() >= end_usec:
			return
	var next: KitRequest = _next_waiting()
	while next != null:
		_advance(next, end_usec)
		next = _next_waiting() if Time.get_ticks_usec() < end_usec else null


# For a game that quits: lets what is pending leave, for at most QUIT_FLUSH_MS in all calls together. Main thread only.
func drain() -> void:
	run()
	# In a web export the browser sends beside the game; holding up its page would hold that up too.
	while _pending > 0 and _quit_budget_usec > 0 and not OS.has_feature("web"):
		var began_usec: int = Time.get_ticks_usec()
		OS.delay_usec(QUIT_PAUSE_USEC)
		run(_quit_budget_usec, KitConstants.PENDING_MAX)
		_quit_budget_usec -= Time.get_ticks_usec() - began_usec
	for request: KitRequest in _under_way:
		request.end("the game has quit")
		_settle(request)
	_under_way.clear()


func _advance(request: KitRequest, end_usec: int) -> void:
	if request.advance(end_usec):
		_settle(request)
	else:
		_under_way.append(request)


func _settle(request: KitRequest) -> void:
	_mutex.lock()
	_pending -= 1
	_mutex.unlock()
	_log.tell("%s: %s" % [request.path, request.outcome])


func _next_waiting() -> KitRequest:
	_mutex.lock()
	var next: KitRequest = _waiting.pop_front()
	_mutex.unlock()
	return next


# Counts the event in, before anything is made of it: one that is dropped costs next to nothing.
func _reserve() -> bool:
	_mutex.lock()
	var has_room: bool = _pending < KitConstants.PENDING_MAX
	var dropped: int = _dropped
	_pending += 1 if has_room else 0
	_dropped = 0 if has_room else _dropped + 1
	_mutex.unlock()
	if not has_room and dropped == 0:
		_log.warn("%d requests are waiting; the newest are dropped" % KitConstants.PENDING_MAX)
	elif has_room and dropped > 0:
		_log.warn("%d events were dropped" % dropped)
	return has_room
