-- What a key and a card that the tenant does not give back costs, fen a piece: of moving out, where fewer came back than were handed over.
alter table handover_sheet
  add column key_price bigint constraint handover_sheet_key_price_bound check (key_price between 0 and 9999999999),
  add column card_price bigint constraint handover_sheet_card_price_bound check (card_price between 0 and 9999999999);
