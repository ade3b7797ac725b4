import { Checkbox } from "antd";
import { useState } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

type Option = { key: string; title: string; group: string };

/** A choice of many things by group, up to a number of them; the order of choosing is kept. */
export function PickDialog({
  title,
  options,
  value,
  most,
  onChange,
  onReset,
  onClose,
}: {
  title: string;
  options: readonly Option[];
  value: readonly string[];
  most: number;
  onChange: (keys: string[]) => void;
  onReset: () => void;
  onClose: () => void;
}) {
  const [picked, setPicked] = useState([...value]);
  const full = picked.length >= most;
  const close = (work: () => void) => () => {
    work();
    onClose();
  };
  return (
    <Dialog
      title={title}
      width={560}
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          note={
            <Button look="text" run={close(onReset)}>
              恢复默认
            </Button>
          }
        >
          <Button look="main" run={close(() => onChange(picked))}>
            确定
          </Button>
        </Foot>
      }
    >
      {most < options.length && (
        <p className="dim">
          已选 {picked.length} 个，最多 {most} 个
        </p>
      )}
      {[...Map.groupBy(options, (o) => o.group)].map(([group, some]) => (
        <fieldset key={group} className="bench__pick">
          <legend>{group}</legend>
          {some.map((o) => (
            <Checkbox
              key={o.key}
              checked={picked.includes(o.key)}
              disabled={full && !picked.includes(o.key)}
              onChange={({ target }) =>
                setPicked(target.checked ? [...picked, o.key] : picked.filter((key) => key !== o.key))
              }
            >
              {o.title}
            </Checkbox>
          ))}
        </fieldset>
      ))}
    </Dialog>
  );
}
