import { Input } from "antd";
import { useState } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { roomsNamed } from "./named.rules.ts";

type Props = { rooms: Parameters<typeof roomsNamed>[1]; onFound: (ids: readonly number[]) => void };

/** Many rooms at once, by a list of names such as a company sends it. */
export function NamedRooms({ rooms, onFound }: Props) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const add = () => {
    const named = roomsNamed(typed, rooms);
    setWrong(named.wrong);
    if (named.wrong.length) return;
    onFound(named.ids);
    setTyped("");
  };
  return (
    <div className="rp__named">
      <div className="row">
        <Input.TextArea
          aria-label="按房号添加"
          autoSize={{ minRows: 1, maxRows: 4 }}
          value={typed}
          placeholder="粘贴房号，用逗号或换行分隔"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button run={add}>按房号添加</Button>
      </div>
      {wrong.length > 0 && (
        <ul className="form__alert" role="alert">
          {wrong.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
