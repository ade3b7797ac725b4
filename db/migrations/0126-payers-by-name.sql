-- Who has paid before is found by the name on the line, however many lines there are.
create index statement_line_payer on statement_line (counter_name) where counter_name <> '';
