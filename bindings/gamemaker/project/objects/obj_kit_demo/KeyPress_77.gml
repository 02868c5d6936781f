/// @description M: something went wrong.
kit_monitor_report("The save file is damaged", debug_get_callstack());
last_sent = "an error report";
