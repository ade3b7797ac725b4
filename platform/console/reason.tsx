import { useState } from "react";
import { confirm } from "./dialog.tsx";
import { Failure } from "./failure.ts";
import { ReasonInput } from "./inputs.tsx";

function Ask({ text, put }: { text: string | undefined; put: (reason: string) => void }) {
  const [value, setValue] = useState("");
  return (
    <div className="fi--bare">
      {text && <p className="asked">{text}</p>}
      <ReasonInput
        value={value}
        onChange={(next) => {
          setValue(next ?? "");
          put(next ?? "");
        }}
      />
    </div>
  );
}

/**
 * Asks for a reason (2 to 200 characters) and does the work with it; the dialog stays open when that fails.
 * Answers false when the person gave up.
 */
export function askReason(
  question: { title: string; text?: string; ok?: string },
  work: (reason: string) => Promise<unknown>,
): Promise<boolean> {
  let reason = "";
  return confirm({
    title: question.title,
    width: 460,
    ...(question.ok && { ok: question.ok }),
    body: <Ask text={question.text} put={(text) => (reason = text)} />,
    run: () => {
      const clean = reason.trim();
      if (clean.length < 2 || clean.length > 200) throw new Failure("invalid", "请填写原因（2-200字）", 400);
      return work(clean);
    },
  });
}
