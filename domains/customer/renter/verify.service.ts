import { certificateOf } from "../../../platform/kernel/certificate.ts";

export type Verdict = { verify: "verified" | "failed"; note: string };

/** Whoever can tell whether name and number belong together. */
export type Verifier = (person: { name: string; certType: string; certNo: string }) => Promise<Verdict>;

/** The default: form and check digit alone. It asks no outside register, and says so. */
export const formCheck: Verifier = ({ certType, certNo }) => {
  const wrong = certificateOf(certType)(certNo);
  return Promise.resolve(
    wrong
      ? { verify: "failed", note: `${wrong}（仅校验证件格式，未联网核验）` }
      : { verify: "verified", note: "仅校验证件格式和校验位，未联网核验姓名与证件是否一致" },
  );
};
