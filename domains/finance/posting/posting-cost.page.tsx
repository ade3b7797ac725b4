import { Postings } from "./postings.panel.tsx";

/** 成本过账: the same for what is paid, fees and losses. */
export default function PostingCostPage() {
  return <Postings side="cost" />;
}
