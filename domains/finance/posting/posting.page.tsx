import { Postings } from "./postings.panel.tsx";

/** 收入过账: a month's income, money and tax as vouchers of the general ledger. */
export default function PostingPage() {
  return <Postings side="income" />;
}
