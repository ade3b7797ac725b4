-- The corrections of a line, looked up by the line.
create index bill_line_adjusts on bill_line (adjusts_line_id) where adjusts_line_id is not null;
