import { ListPage } from "../../../platform/console/list/list.tsx";
import { Share } from "../../../platform/console/parts/share.tsx";
import { addActivity, exportActivities, listActivities } from "../activity/activity.contract.ts";
import { ActivityForm } from "./activity.form.tsx";
import {
  ActivityDrawer,
  ActivityPicture,
  budgetText,
  quotaText,
  stackText,
  useActivityActs,
} from "./activity.panel.tsx";

/** 优惠活动: offers that lower rent or fees at signing, and what each has cost; one beside the list (?id=). */
export default function ActivitiesPage() {
  const [actsOf, layer] = useActivityActs();
  return (
    <>
      <ListPage
        call={listActivities}
        unit="个"
        filters={["villageIds", "keyword", "status", "kind", "contractKind", "dayFrom"]}
        columns={[
          { key: "name", width: 150 },
          "kind",
          { key: "valueText", width: 130 },
          "status",
          {
            key: "usedCount",
            title: "名额",
            width: 120,
            holds: ["quota"],
            show: (a) => <Share used={a.usedCount} of={a.quota} text={quotaText(a)} />,
          },
          {
            key: "usedFen",
            width: 180,
            holds: ["budget"],
            show: (a) => <Share used={a.usedFen} of={a.budget} text={budgetText(a)} />,
          },
          {
            key: "signFrom",
            title: "有效期",
            width: 190,
            holds: ["signTo"],
            show: (a) => `${a.signFrom} ~ ${a.signTo}`,
          },
          { key: "scopeText", width: 200 },
          { key: "signTo", hidden: true },
          { key: "stackGroup", title: "互斥组/可叠加", show: stackText },
          "createdName",
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: "name",
          right: "status",
          lines: [
            ["valueText", (a) => `${a.signFrom} ~ ${a.signTo}`],
            [(a) => `名额 ${quotaText(a)}`, (a) => `已优惠 ${budgetText(a)}`],
          ],
        }}
        sort={{ sort: "signTo", order: "desc" }}
        adds={{ does: addActivity, form: (close) => <ActivityForm onClose={close} /> }}
        rowActions={actsOf}
        picture={(query, filter) => <ActivityPicture query={query} filter={filter} />}
        drawer={(id) => <ActivityDrawer id={id} />}
        exportCall={exportActivities}
        emptyText="这里设置签约和续租时的优惠：打折、立减、免首月。启用后，签约第 5 步按门店、产品、租期等条件列出可用的活动"
      />
      {layer}
    </>
  );
}
