import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { lateFeeFieldsOf, rateWarning } from "../../finance/setting/late-terms.rules.ts";
import { readContractConfig, writeLateFeeTerms } from "../config/config.contract.ts";
import { CONFIG_SOURCES } from "../config/config.rules.ts";
import { DecimalInput } from "../../../platform/console/inputs/inputs.tsx";
import { Coming } from "./config-set.panel.tsx";
import type { Config } from "./config.form.tsx";

/** Grace, rate and cap where the billing settings stand: the same record as the contract parameters. */
export default function LateTermsPanel({ id = 0 }: { id?: number }) {
  return (
    <Loaded call={readContractConfig} sent={{ query: id ? { villageId: id } : {} }} lines={2} keeps>
      {(config) => <LateTermsForm key={`${config.villageId} ${config.version}`} config={config} />}
    </Loaded>
  );
}

function LateTermsForm({ config }: { config: Config }) {
  const refresh = useRefresh();
  const act = useAct();
  const { villageId, version, today } = config;
  const form = useForm<Body<typeof writeLateFeeTerms>>(writeLateFeeTerms.body, {
    ...lateFeeFieldsOf(config.defaultTerms),
    effectiveDate: today,
    version,
  });
  const locked = !config.editable || !may(writeLateFeeTerms.needs);
  const warning = rateWarning(form.values.lateFeeDailyRate);
  const save = async () => {
    const sent = await form.submit((body) =>
      send(writeLateFeeTerms, { query: villageId ? { villageId } : {}, body }),
    );
    if (!sent) return;
    toast("已保存，仅影响新签合同和新账单");
    await refresh();
  };
  const withdraw = (from: string) =>
    act(
      writeLateFeeTerms,
      {
        query: villageId ? { villageId } : {},
        body: { ...lateFeeFieldsOf(config.defaultTerms), effectiveDate: from, version },
      },
      {
        done: "已撤销",
        ask: { title: "撤销待生效的修改", body: `${from} 起的修改不再生效，仍按现在的标准。` },
      },
    );
  const alone = villageId !== null && config.source !== "village";
  return (
    <>
      <h3 className="form__section">
        滞纳金标准 <WordTag words={CONFIG_SOURCES} code={config.source} dot={false} />
        <small>与合同参数为同一套标准，签约时带入，签约后以合同为准</small>
      </h3>
      <Coming coming={config.coming} withdraw={locked || alone ? undefined : withdraw} />
      <FormFields
        form={form}
        cols={2}
        label={132}
        fields={[
          { key: "graceDays", disabled: locked, help: "应收日后在此天数内付清的不计" },
          {
            key: "lateFeeDailyRate",
            disabled: locked,
            input: (p) => <DecimalInput {...p} unit="%/天" />,
            help: warning && <span className="neg">{warning}</span>,
          },
          { key: "lateFeeCapPercent", disabled: locked },
          ...(locked ? [] : (["effectiveDate"] as const)),
        ]}
      />
      {!locked && (
        <p className="acts">
          <Button busy={form.busy} why={form.dirty ? undefined : "没有修改"} run={save}>
            保存滞纳金标准
          </Button>
          <span className="dim">
            {alone && "保存后本门店单独设置合同参数，不再沿用企业设置；"}没有合同的账单按开单当日的标准
          </span>
        </p>
      )}
    </>
  );
}
