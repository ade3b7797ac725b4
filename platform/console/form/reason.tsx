import { useEffect, useState } from "react";
import { confirm } from "../parts/dialog.tsx";
import { TextInput } from "../inputs/inputs.tsx";

type Question = {
  title: string;
  text?: string;
  ok?: string;
  placeholder: string;
  /** The sentence when it is shorter than 2 or longer than `most` characters. */
  wrong: string;
  most: number;
};

type Props = {
  question: Question;
  onChange: (reason: string) => void;
  /** Hands out the way to say that the reason will not do. */
  onReady: (complain: (sentence: string) => void) => void;
};

function Ask({ question, onChange, onReady }: Props) {
  const [value, setValue] = useState("");
  const [error, setError] = useState("");
  useEffect(() => onReady(setError), [onReady]);
  return (
    <div className={error ? "asking fi--bad" : "asking"}>
      {question.text && <p className="asked">{question.text}</p>}
      <TextInput
        rows={3}
        max={question.most}
        placeholder={question.placeholder}
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

/** Asks for a few words and does the work with them; the dialog stays open when that fails. False when given up. */
export function askText(question: Question, work: (text: string) => Promise<unknown>): Promise<boolean> {
  let typed = "";
  let complain: (sentence: string) => void = () => undefined;
  const onChange = (text: string) => void (typed = text);
  const onReady = (way: typeof complain) => void (complain = way);
  return confirm({
    title: question.title,
    width: 460,
    ...(question.ok && { ok: question.ok }),
    body: <Ask question={question} onChange={onChange} onReady={onReady} />,
    run: async () => {
      const text = typed.trim();
      if (text.length >= 2 && text.length <= question.most) return work(text);
      complain(question.wrong);
      return false;
    },
  });
}

/** Asks why: 2 to 200 characters, as the server demands it. */
export const askReason = (
  question: { title: string; text?: string; ok?: string },
  work: (reason: string) => Promise<unknown>,
): Promise<boolean> =>
  askText(
    { ...question, placeholder: "请填写原因（2-200字）", wrong: "请填写原因（2-200字）", most: 200 },
    work,
  );
