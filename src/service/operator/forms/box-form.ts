import type { FormFields, Choice } from "#check/form-field";
import type { Html } from "#web/page/html";
import type { Basis } from "#service/store/audit/actor";
import { basisField } from "#service/operator/changes/basis-field";
import type { FormGroup, FormState } from "#service/operator/forms/form-group";
import { formIn } from "#service/operator/forms/form-view";
import type { KnownReader } from "#service/operator/page-request";

/** One of the forms of a page that shows something else, too. */
interface BoxForm {
  /** Where it is sent. No two forms of a page are sent to the same address. */
  readonly action: string;
  readonly reader: KnownReader;
  readonly fields: FormFields;
  readonly groups: readonly FormGroup[];
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** What is to be known of a field as it is filled in, by its name. */
  readonly notes?: Readonly<Record<string, string>>;
  /** What is in its fields until someone types. */
  readonly fresh: URLSearchParams;
  /** The form of this page that was refused, whichever it is. */
  readonly refused: RefusedForm | null;
  /** Whether it is shown only; without it, it can be sent. */
  readonly isLocked?: boolean;
  /** The version that it changes; null: it makes something new. */
  readonly basis: Basis | null;
  readonly submit: string;
  /** Next to the groups; without it, nothing is. */
  readonly extra?: Html;
  /** Other buttons next to the one that sends it; without it, there are none. */
  readonly actions?: Html;
  /** Where a person goes who does not send it; without it, it is folded away. */
  readonly cancel?: string;
  /** Whether it makes something new: the cursor is in its first empty field. */
  readonly isNew?: boolean;
  /** Whether its buttons stay in view, however long it is. */
  readonly stays?: boolean;
  /** Whether its page is for something else, so that page keys act next to it. */
  readonly isAside?: boolean;
}

/** A form that was sent and not taken: where it was sent, what was typed, and what is wrong. */
export interface RefusedForm {
  readonly action: string;
  readonly state: FormState;
}

/** A form inside a page. If it was refused, it has what was typed, and what is wrong at each field. */
export const boxForm = ({
  fresh,
  refused,
  basis,
  cancel,
  extra,
  actions,
  isLocked = false,
  ...view
}: BoxForm): Html =>
  formIn(
    {
      ...view,
      state: isRefused(view, refused) ? refused.state : { typed: fresh, mistakes: [] },
      hidden: {},
      lead: basis === null ? null : basisField(basis),
      isLocked,
      cancel: cancel ?? null,
      extra: extra ?? null,
      actions: actions ?? null,
    },
    `${view.action.replaceAll(/\W+/g, "-").slice(1)}-`,
  );

const isRefused = (
  { action }: Pick<BoxForm, "action">,
  refused: RefusedForm | null,
): refused is RefusedForm => refused?.action === action;

/** The one group of a form that has a few fields: it needs no legend. */
export const onlyGroup: readonly FormGroup[] = [{ key: "", legend: "", help: "", isFolded: false }];
