import { type RawBuilder, sql } from "kysely";

const ISSUED = sql`i.state in ('issued', 'partRed', 'red')`;
const UNDER_WAY = sql`i.state in ('applied', 'issuing')`;
const SIGNED = sql`case i.direction when 'blue' then 1 else -1 end`;

/** What lines and bills say is invoiced and held is what invoices say; their heads are their lines; red letters are all counted. */
export const invoiceSums = (): RawBuilder<unknown> => sql`
  with x as materialized (
    select y.bill_line_id, sum(${SIGNED} * y.amount) filter (where ${ISSUED}) invoiced,
      sum(y.amount) filter (where i.direction = 'blue' and ${UNDER_WAY}) held
    from invoice_line y join invoice i on i.id = y.invoice_id group by 1),
  lined as materialized (
    select b.village_id, b.bill_no, l.id, l.bill_id, l.invoiced, l.invoicing, coalesce(x.invoiced, 0) issued,
      coalesce(x.held, 0) held
    from bill_line l join bill b on b.id = l.bill_id left join x on x.bill_line_id = l.id
    where x.bill_line_id is not null or l.invoiced <> 0 or l.invoicing <> 0)
  select village_id, bill_no || ' #' || id || ' 已开票' key, issued expected, invoiced actual from lined
  union all
  select village_id, bill_no || ' #' || id || ' 开票占用', held, invoicing from lined
  union all
  select b.village_id, b.bill_no || ' 已开票', coalesce(l.invoiced, 0), b.invoiced + b.invoicing
  from bill b left join (select bill_id, sum(invoiced + invoicing) invoiced from lined group by 1) l on l.bill_id = b.id
  where l.bill_id is not null or b.invoiced <> 0 or b.invoicing <> 0
  union all
  select i.village_id, i.apply_no || ' 明细', coalesce(sum(y.amount), 0) * 2 - coalesce(sum(y.tax), 0), i.amount * 2 - i.tax
  from invoice i left join invoice_line y on y.invoice_id = i.id group by i.id
  union all
  select b.village_id, b.apply_no || ' 红冲', coalesce(sum(i.amount) filter (where ${ISSUED} or ${UNDER_WAY}), 0),
    b.red_amount + b.reding
  from invoice b left join invoice i on i.red_of_id = b.id where b.direction = 'blue' group by b.id`;

/** R6: the tax of invoices, red letters taken off, is what E22 made payable; what was declared before is not moved again. */
export const invoicedTax = (): RawBuilder<unknown> => sql`
  select coalesce(e.village_id, a.village_id) village_id, v.name key, coalesce(e.fen, 0) expected, coalesce(a.fen, 0) actual
  from (select i.village_id, sum(${SIGNED} * (y.tax - y.declared)) fen
    from invoice i join invoice_line y on y.invoice_id = i.id where ${ISSUED} group by 1) e
  full join (select l.village_id, sum(l.credit - l.debit) fen from journal_line l join journal_entry j on j.id = l.entry_id
    where j.event = 'E22' and l.account = '2221' group by 1) a on a.village_id = e.village_id
  join village v on v.id = coalesce(e.village_id, a.village_id)`;

/** T13: of a contract no more is invoiced than was ever charged. */
export const invoicedOfContract = (): RawBuilder<unknown> => sql`
  select b.village_id, c.contract_no key, least(sum(l.invoiced), sum(greatest(l.amount, 0))) expected, sum(l.invoiced) actual
  from bill b join bill_line l on l.bill_id = b.id join contract_brief c on c.id = b.contract_id
  where b.invoiced > 0 group by b.village_id, c.id, c.contract_no`;
