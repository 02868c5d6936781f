/// @description Says what the keys do.
draw_text(32, 32, "R  a moment worth a clip");
draw_text(32, 64, "M  an error report");
draw_text(32, 96, "S  a moment worth telling");
draw_text(32, 160, "Last: " + last_sent);
