-- Where every room that follows a product is in a change, the product itself gets the new price and the rooms go on following.
alter table price_change
  add as_product boolean not null default false,
  -- prices of the very day that products had before: [{ productId, rows: [{ villageId, listPrice, lowestPrice }] }]
  add product_prices jsonb not null default '[]';
alter table price_change_line add by_product boolean not null default false;
