// kit_sdk: tells a Kit launcher on this machine about moments, errors and news of the game. Never stops the game.
//
//   kit_recording_trigger("mygame_boss_defeated");   a moment worth a clip
//   kit_monitor_report("The save file is damaged");  something went wrong
//   kit_social_trigger("mygame_all_stars");          a moment worth telling
//
// Each call sends one small message and returns at once. When no launcher runs, nothing happens: no error, no message,
// no delay. kit_init is needed only to change a setting. No object, event or extension belongs to it.

#macro __KIT_DEFAULT_URL "http://127.0.0.1:9876"
#macro __KIT_RECORDING_PATH "/api/recording/trigger"
#macro __KIT_MONITOR_PATH "/api/monitor/report"
#macro __KIT_SOCIAL_PATH "/api/social/trigger"
#macro __KIT_TIMEOUT_MS 5000
#macro __KIT_PENDING_MAX 64
#macro __KIT_QUIT_FLUSH_MS 250
#macro __KIT_BUILD_CHARS_MAX 100

// The runner holds a request that nobody answers for about a minute, whatever a script would like.
#macro __KIT_HELD_MS 60000
#macro __KIT_HELD_MAX 256
#macro __KIT_URL_LENGTH_MAX 2048
#macro __KIT_BLANKS_MAX 1000
#macro __KIT_EPOCH_DAYS 25569

/// @desc Sets where and what Kit sends. Needed only to change a setting: the first call of any other function starts Kit
///       with its defaults. May be called again; what is left out is then the default again. Never throws, never waits.
/// @param {Struct} [_config] Any of: launcher_url (String, "http://127.0.0.1:9876"), enable_recording, enable_monitor,
///        enable_social (Bool, true), build (String, GM_version): the version of the game, which error reports name;
///        "" for none; report_uncaught_errors (Bool, false): whether the exception that ends the game is reported. A
///        member that is missing or of another type keeps its default. An address that cannot be used switches all
///        off, silently. global.__kit_config then holds the settings in use.
/// @return {Undefined}
function kit_init(_config = undefined) {
	var _settings = {
		launcher_url : __KIT_DEFAULT_URL,
		enable_recording : true,
		enable_monitor : true,
		enable_social : true,
		build : "",
		report_uncaught_errors : false,
	};
	try {
		var _build = GM_version;
		if (is_struct(_config)) {
			var _url = _config[$ "launcher_url"];
			if (is_string(_url)) _settings.launcher_url = __kit_trimmed(_url);
			_settings.enable_recording = __kit_switch(_config[$ "enable_recording"], true);
			_settings.enable_monitor = __kit_switch(_config[$ "enable_monitor"], true);
			_settings.enable_social = __kit_switch(_config[$ "enable_social"], true);
			_settings.report_uncaught_errors = __kit_switch(_config[$ "report_uncaught_errors"], false);
			if (is_string(_config[$ "build"])) _build = _config[$ "build"];
		}
		_settings.build = __kit_build(_build);
		if (_settings.report_uncaught_errors) __kit_watch();
		// Every look at the clock makes later timestamps more exact.
		__kit_timestamp();
	} catch (_error) {
		// The game goes on with the settings that were read.
	}
	global.__kit_config = _settings;
}

/// @desc Tells the launcher that this moment is worth a clip. Never throws, never waits.
/// @param {String} _event_id By convention <game>_<event>. When empty, nothing is sent.
/// @return {Undefined}
function kit_recording_trigger(_event_id) {
	__kit_send("enable_recording", __KIT_RECORDING_PATH, "eventId", _event_id);
}

/// @desc Reports that something went wrong. Never throws, never waits.
/// @param {String,Struct} _message What went wrong, or a caught exception, as it is. When empty, nothing is sent.
/// @param {String,Array<String>} [_stack_trace] Where it went wrong, as text or in lines (an exception's stacktrace).
/// @return {Undefined}
function kit_monitor_report(_message, _stack_trace = "") {
	__kit_send("enable_monitor", __KIT_MONITOR_PATH, "message", _message, true, _stack_trace);
}

/// @desc Tells the launcher that this moment is worth telling. Never throws, never waits.
/// @param {String} _event_id By convention <game>_<event>. When empty, nothing is sent.
/// @return {Undefined}
function kit_social_trigger(_event_id) {
	__kit_send("enable_social", __KIT_SOCIAL_PATH, "eventId", _event_id);
}

// ---- Settings -------------------------------------------------------------------------------------------------------

/// @ignore
/// @desc What is no boolean and no number sets no switch.
/// @param {Any} _value
/// @param {Bool} _default
/// @return {Bool}
function __kit_switch(_value, _default) {
	return is_bool(_value) || is_numeric(_value) ? bool(_value) : _default;
}

/// @ignore
/// @desc Whether _char, a single character, is one of those Unicode calls white space.
/// @param {String} _char
/// @return {Bool}
function __kit_is_blank(_char) {
	static _blanks = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
		+ "\u2028\u2029\u202f\u205f\u3000\ufeff";
	return string_pos(_char, _blanks) > 0;
}

/// @ignore
/// @desc An address without blanks around it and slashes behind it. What is too long to be one is left as it is.
/// @param {String} _url
/// @return {String}
function __kit_trimmed(_url) {
	var _first = 1;
	var _last = string_length(_url);
	if (_last > __KIT_URL_LENGTH_MAX) return _url;
	while (_first <= _last && __kit_is_blank(string_char_at(_url, _first))) _first += 1;
	while (_last >= _first && __kit_is_blank(string_char_at(_url, _last))) _last -= 1;
	while (_last >= _first && string_char_at(_url, _last) == "/") _last -= 1;
	return __kit_part(_url, _first, _last);
}

/// @ignore
/// @desc A build as it is sent: without blanks around it, and cut where the launcher would cut it.
/// @param {String} _build
/// @return {String}
function __kit_build(_build) {
	var _first = 1;
	var _last = string_length(_build);
	while (_first <= min(_last, __KIT_BLANKS_MAX) && __kit_is_blank(string_char_at(_build, _first))) _first += 1;
	_last = min(_last, _first + __KIT_BUILD_CHARS_MAX - 1);
	while (_last >= _first && __kit_is_blank(string_char_at(_build, _last))) _last -= 1;
	return __kit_part(_build, _first, _last);
}

/// @ignore
/// @desc The characters from _first to _last. string_copy of HTML5 miscounts behind characters such as an emoji.
/// @param {String} _text
/// @param {Real} _first
/// @param {Real} _last
/// @return {String}
function __kit_part(_text, _first, _last) {
	var _part = "";
	for (var _at = _first; _at <= _last; _at += 1) _part += string_char_at(_text, _at);
	return _part;
}

/// @ignore
/// @desc What paths are added to, or "" for an address that cannot be used. Worked out once for each address.
/// @param {String} _url
/// @return {String}
function __kit_base(_url) {
	static _known_url = "";
	static _known_base = "";
	if (_url != _known_url) {
		_known_base = __kit_usable(_url);
		_known_url = _url;
	}
	return _known_base;
}

/// @ignore
/// @desc The address with its scheme in small letters, or "" when it is none that HTTP can be spoken to.
/// @param {String} _url
/// @return {String}
function __kit_usable(_url) {
	var _length = string_length(_url);
	if (_length > __KIT_URL_LENGTH_MAX) return "";
	var _lower = string_lower(_url);
	var _scheme = "http://";
	if (!string_starts_with(_lower, _scheme)) _scheme = "https://";
	if (!string_starts_with(_lower, _scheme)) return "";
	var _start = string_length(_scheme) + 1;
	if (_start > _length || string_pos(string_char_at(_url, _start), "/:") > 0) return "";
	for (var _at = _start; _at <= _length; _at += 1) {
		var _char = string_char_at(_url, _at);
		if (__kit_is_blank(_char) || string_pos(_char, "?#@") > 0) return "";
	}
	return _scheme + __kit_part(_url, _start, _length);
}

// ---- Payload --------------------------------------------------------------------------------------------------------

/// @ignore
/// @desc _value as text; "" for what is no text: undefined, functions, structs that do not say how they are written.
/// @param {Any} _value
/// @return {String}
function __kit_text(_value) {
	switch (typeof(_value)) {
		case "string":
			return _value;
		case "bool":
			return _value ? "true" : "false";
		case "number":
		case "int32":
		case "int64":
			return string(_value);
		case "array":
			return string_join_ext("\n", _value);
		case "struct":
			// A caught exception, or something like it.
			var _message = _value[$ "message"];
			if (is_string(_message)) return _message;
			if (is_method(_value[$ "toString"])) return string(_value);
	}
	return "";
}

/// @ignore
/// @desc Every character that JSON does not take as it is, each followed by the way JSON writes it; the backslash first.
/// @return {Array<String>}
function __kit_escapes() {
	var _escapes = ["\\", "\\\\", "\"", "\\\""];
	for (var _code = 0; _code < 32; _code += 1) {
		var _char = chr(_code);
		// Native strings end at a NUL and so never hold one.
		if (_char == "") continue;
		var _high = _code >= 16 ? "1" : "0";
		array_push(_escapes, _char, "\\u00" + _high + string_char_at("0123456789abcdef", _code mod 16 + 1));
	}
	return _escapes;
}

/// @ignore
/// @desc _text as a JSON string. One native pass over the text for each escape: linear, however long it is.
///       The engine's own json_stringify is not used: whether it escapes control characters differs by platform.
/// @param {String} _text
/// @return {String}
function __kit_quote(_text) {
	static _escapes = __kit_escapes();
	for (var _i = 0, _count = array_length(_escapes); _i < _count; _i += 2) {
		if (string_pos(_escapes[_i], _text) > 0) {
			_text = string_replace_all(_text, _escapes[_i], _escapes[_i + 1]);
		}
	}
	return "\"" + _text + "\"";
}

/// @ignore
/// @desc Milliseconds into the second the wall clock shows. The engine's wall clock has whole seconds only; its timer has
///       microseconds, but counts from the start of the game. Each look at both narrows down how far they are apart.
///       Never runs backwards within a second, never ahead of the clock; exact to a second at first, to a few
///       milliseconds once seconds were seen to change. Starts anew when the wall clock was set.
/// @param {Real} _second Unix time.
/// @return {Real}
function __kit_millisecond(_second) {
	// What the wall clock is ahead of the timer by, at least, in microseconds.
	static _least = 0;
	static _looked_at = 0;
	static _last_second = -1;
	static _last_ms = 0;
	var _timer = get_timer();
	var _from = _second * 1000000 - _timer;
	// A clock that is being corrected runs up to 500 millionths faster or slower.
	var _drift = max(0, _timer - _looked_at) * 0.0005;
	_least = max(_least - _drift, _from);
	if (_least >= _from + 1000000) _least = _from;
	_looked_at = _timer;
	var _ms = clamp(floor((_least - _from) / 1000), 0, 999);
	if (_second == _last_second) _ms = max(_ms, _last_ms);
	_last_second = _second;
	_last_ms = _ms;
	return _ms;
}

/// @ignore
/// @desc Now, in UTC: YYYY-MM-DDTHH:MM:SS.sssZ. The game's own time zone setting is left as it was found.
/// @return {String}
function __kit_timestamp() {
	static _known_second = -1;
	static _known_text = "";
	var _second = 0;
	var _zone = date_get_timezone();
	date_set_timezone(timezone_utc);
	try {
		var _now = date_current_datetime();
		_second = round((_now - __KIT_EPOCH_DAYS) * 86400);
		if (_second != _known_second) {
			// A day is a double: the last bits of _now may put it before its second, and HTML5 truncates. Half a second is far from both.
			_now = (_second + 0.5) / 86400 + __KIT_EPOCH_DAYS;
			_known_text = string_format(date_get_year(_now), 4, 0) + "-" + string_format(date_get_month(_now), 2, 0)
				+ "-" + string_format(date_get_day(_now), 2, 0) + "T" + string_format(date_get_hour(_now), 2, 0)
				+ ":" + string_format(date_get_minute(_now), 2, 0) + ":" + string_format(date_get_second(_now), 2, 0);
			_known_second = _second;
		}
	} finally {
		date_set_timezone(_zone);
	}
	// string_format fills up with blanks.
	return string_replace_all(_known_text + "." + string_format(__kit_millisecond(_second), 3, 0) + "Z", " ", "0");
}

// ---- Transport ------------------------------------------------------------------------------------------------------

/// @ignore
/// @desc Takes one of the places a request may have. Without an Async event, which a game would have to add, a script
///       never learns that a request is over, so each counts for as long as it might last: 64 in any 5 seconds, the
///       time a launcher is given, and 256 in any minute, the time the runner holds on to one that nobody answers.
/// @return {Bool} False when there is none: the newest event is the one to go.
function __kit_take_place() {
	// When each of the last requests was sent, as a ring; its oldest entry is the next to be written over.
	static _sent_at = array_create(__KIT_HELD_MAX, -__KIT_HELD_MS * 1000);
	static _next = 0;
	var _now = get_timer();
	var _recent = (_next + __KIT_HELD_MAX - __KIT_PENDING_MAX) mod __KIT_HELD_MAX;
	if (__kit_is_within(_now - _sent_at[_recent], __KIT_TIMEOUT_MS)) return false;
	if (__kit_is_within(_now - _sent_at[_next], __KIT_HELD_MS)) return false;
	_sent_at[_next] = _now;
	_next = (_next + 1) mod __KIT_HELD_MAX;
	return true;
}

/// @ignore
/// @desc Whether less than _ms passed. A timer that was set back, as a browser's clock may be, blocks nothing.
/// @param {Real} _passed_us
/// @param {Real} _ms
/// @return {Bool}
function __kit_is_within(_passed_us, _ms) {
	return _passed_us >= 0 && _passed_us < _ms * 1000;
}

/// @ignore
/// @desc One POST, whose answer nobody reads.
/// @param {String} _url
/// @param {String} _body
/// @return {Undefined}
function __kit_post(_url, _body) {
	var _headers = ds_map_create();
	try {
		ds_map_add(_headers, "Content-Type", "application/json");
		http_request(_url, "POST", _headers, _body);
	} finally {
		ds_map_destroy(_headers);
	}
}

/// @ignore
/// @desc What a report has behind its message.
/// @param {Any} _stack_trace
/// @param {Any} _build
/// @return {String}
function __kit_report_members(_stack_trace, _build) {
	var _members = ",\"stackTrace\":" + __kit_quote(__kit_text(_stack_trace));
	return is_string(_build) && _build != "" ? _members + ",\"build\":" + __kit_quote(_build) : _members;
}

/// @ignore
/// @desc Sends, or does nothing: when switched off, without a text, without a usable address, or without a place.
///       Nothing that goes wrong in here leaves it.
/// @param {String} _switch Which setting decides.
/// @param {String} _path
/// @param {String} _member What the payload calls the text.
/// @param {Any} _value The text.
/// @param {Bool} [_has_stack]
/// @param {Any} [_stack_trace]
/// @return {Bool} Whether it was sent.
function __kit_send(_switch, _path, _member, _value, _has_stack = false, _stack_trace = undefined) {
	try {
		if (!variable_global_exists("__kit_config") || !is_struct(global.__kit_config)) kit_init();
		var _config = global.__kit_config;
		var _text = __kit_text(_value);
		if (_text != "" && _config[$ _switch] == true) {
			var _base = __kit_base(_config.launcher_url);
			if (_base != "" && __kit_take_place()) {
				var _body = "{\"" + _member + "\":" + __kit_quote(_text);
				if (_has_stack) _body += __kit_report_members(_stack_trace, _config[$ "build"]);
				__kit_post(_base + _path, _body + ",\"timestamp\":\"" + __kit_timestamp() + "\"}");
				return true;
			}
		}
	} catch (_error) {
		// A launcher is never worth an error in the game.
	}
	return false;
}

// ---- The exception that nobody caught -------------------------------------------------------------------------------

/// @ignore
/// @desc Has the engine tell Kit of it. Once in a game: Kit's handler calls the one that was set before.
/// @return {Undefined}
function __kit_watch() {
	if (variable_global_exists("__kit_handler_before")) return;
	global.__kit_handler_before = exception_unhandled_handler(__kit_unhandled);
}

/// @ignore
/// @desc What the engine calls. The game ends after it, as it does without Kit.
/// @param {Any} _exception
/// @return {Any} The exit code: of the handler before, or what the HTML5 runtime ends with where there is none.
function __kit_unhandled(_exception) {
	__kit_report_uncaught(_exception);
	var _before = global.__kit_handler_before;
	if (!is_undefined(_before)) return _before(_exception);
	__kit_show_uncaught(_exception);
	return -1;
}

/// @ignore
/// @desc Reports the first one. A game that is ending may fail again and again, which says nothing new.
/// @param {Any} _exception
/// @return {Undefined}
function __kit_report_uncaught(_exception) {
	static _has_reported = false;
	try {
		if (_has_reported || !global.__kit_config.report_uncaught_errors) return;
		_has_reported = true;
		var _message = __kit_text(_exception);
		if (_message == "") _message = "An exception without a message";
		var _stack = __kit_member(_exception, "stacktrace");
		if (__kit_send("enable_monitor", __KIT_MONITOR_PATH, "message", _message, true, _stack)) __kit_hold();
	} catch (_error) {
		// Not reported then. The game ends anyway.
	}
}

/// @ignore
/// @desc A handler keeps the engine from showing its own message, so this shows the same one. A browser shows none.
/// @param {Any} _exception
/// @return {Undefined}
function __kit_show_uncaught(_exception) {
	try {
		var _text = __kit_text(__kit_member(_exception, "longMessage"));
		if (_text == "") _text = __kit_text(_exception);
		show_debug_message(_text);
		if (os_browser == browser_not_a_browser) show_message(_text);
	} catch (_error) {
		// A platform without messages.
	}
}

/// @ignore
/// @desc A member of what was thrown, which may be anything; "" where it has none.
/// @param {Any} _thrown
/// @param {String} _name
/// @return {Any}
function __kit_member(_thrown, _name) {
	return is_struct(_thrown) ? _thrown[$ _name] : "";
}

/// @ignore
/// @desc Gives the runner, which may send beside the game, the time that a game may be held up. A browser needs none.
/// @return {Undefined}
function __kit_hold() {
	if (os_browser != browser_not_a_browser) return;
	var _start = get_timer();
	var _seen = _start;
	// A timer that stands still ends it too: this many turns take longer than a microsecond anywhere.
	for (var _turns = 0; _turns < 100000; _turns += 1) {
		var _now = get_timer();
		if (!__kit_is_within(_now - _start, __KIT_QUIT_FLUSH_MS)) return;
		if (_now != _seen) _turns = 0;
		_seen = _now;
	}
}
