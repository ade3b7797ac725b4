import { Submitted } from "./result.panel.tsx";

/** The return page of a signing. */
export default function SignResultPage() {
  return <Submitted title="签署结果已提交" />;
}
