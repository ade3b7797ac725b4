-- The embedded cashier gives out a bill of each day as channels do, from its own book.
alter table statement drop constraint statement_format_check, add constraint statement_format_check check (format in
  ('wechatAll', 'wechatSuccess', 'wechatRefund', 'wechatFund', 'alipayTrade', 'alipayFund', 'bank', 'till'));
create index till_order_paid on till_order (merchant_account_id, paid_at) where paid_at is not null;
create index till_refund_done on till_refund (done_at);
