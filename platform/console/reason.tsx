import { useEffect, useState } from "react";
import { confirm } from "./dialog.tsx";
import { ReasonInput } from "./inputs.tsx";

const WRONG = "请填写原因（2-200字）";

type Props = {
  text: string | undefined;
  onChange: (reason: string) => void;
  /** Hands out the way to say that the reason will not do. */
  onReady: (complain: (sentence: string) => void) => void;
};

function Ask({ text, onChange, onReady }: Props) {
  const [value, setValue] = useState("");
  const [error, setError] = useState("");
  useEffect(() => onReady(setError), [onReady]);
  return (
    <div className={error ? "fi--bad" : ""}>
      {text && <p className="asked">{text}</p>}
      <ReasonInput
        value={value}
        onChange={(next = "") => {
          onChange(next);
          setValue(next);
          setError("");
        }}
      />
      {error && (
        <p className="form__note" role="alert">
          {error}
        </p>
      )}
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
  let typed = "";
  let complain: (sentence: string) => void = () => undefined;
  const onChange = (text: string) => void (typed = text);
  const onReady = (way: typeof complain) => void (complain = way);
  return confirm({
    title: question.title,
    width: 460,
    ...(question.ok && { ok: question.ok }),
    body: <Ask text={question.text} onChange={onChange} onReady={onReady} />,
    run: async () => {
      const reason = typed.trim();
      if (reason.length >= 2 && reason.length <= 200) return work(reason);
      complain(WRONG);
      return false;
    },
  });
}
