import type { ComponentImpact, ReportStatus } from "#service/status-page/report-words";
import type { EpochMillis } from "#base/units";

/** What a template fills in: the form of a report and of its updates, or that of an update of planned work. */
export const templateUses = ["report", "maintenance"] as const;
export type TemplateUse = (typeof templateUses)[number];

/** Words that a form of a status page begins with. */
export interface TemplateDefinition {
  /** What its people call it: no reader sees it. */
  readonly name: string;
  /** Of a new report; empty: the form fills in its own. */
  readonly title: string;
  readonly status: ReportStatus;
  /** Markdown. */
  readonly message: string;
  /** Empty: the form fills in what fails. One of a component that is gone is left out where it is used. */
  readonly impacts: readonly ComponentImpact[];
}

export interface TemplateRow extends TemplateDefinition {
  readonly id: number;
  readonly page: number;
  /** It never changes. */
  readonly use: TemplateUse;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}
export type NewTemplate = Omit<TemplateRow, "id" | "updatedAt">;

export interface PageTemplates {
  create(made: NewTemplate): Promise<number | "full">;
  update(row: TemplateRow): Promise<boolean>;
  delete(id: number): Promise<boolean>;
  get(id: number): Promise<TemplateRow | null>;
  /** Those of a page, by their names. */
  of(page: number): Promise<readonly TemplateRow[]>;
}

/** The step that made room for them. */
export const templateTables: string = `
  CREATE TABLE page_templates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    used_for TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    -- JSON.
    impacts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX page_templates_by_page ON page_templates (page);
  `;
