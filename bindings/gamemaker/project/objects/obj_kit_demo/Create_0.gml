/// @description What happened last, shown by the Draw event.
last_sent = "nothing yet";
