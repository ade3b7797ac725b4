import { OneField } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import {
  FlagInput,
  NumberInput,
  TextInput,
  type InputProps,
} from "../../../platform/console/inputs/inputs.tsx";
import { SETTINGS, type Setting } from "./adapter.rules.ts";
import type { AdapterName } from "./words.rules.ts";

function inputOf(setting: Setting) {
  return (p: InputProps<unknown>) =>
    setting.kind === "number" ? (
      <NumberInput {...(p as InputProps<number>)} unit={setting.unit} />
    ) : setting.kind === "flag" ? (
      <FlagInput {...(p as InputProps<boolean>)} />
    ) : (
      <TextInput {...(p as InputProps<string>)} max={500} placeholder="https://" />
    );
}

/** The settings of an adapter, drawn from what it says about itself. */
export function SettingFields<V>({ form, adapter }: { form: FormState<V>; adapter: AdapterName }) {
  return SETTINGS[adapter].map((setting) => (
    <OneField
      key={setting.key}
      form={form}
      path={`config.${setting.key}`}
      more={{
        title: setting.title,
        ...(setting.help && { help: setting.help }),
        must: setting.kind !== "url" || setting.must,
        input: inputOf(setting),
      }}
    />
  ));
}
