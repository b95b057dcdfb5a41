import { changeStyle } from "#service/operator/style/change-style";
import { channelStyle } from "#service/operator/style/channel-style";
import { chartPageStyle } from "#service/operator/charts/chart-page-style";
import { compactStyle } from "#service/operator/style/compact-style";
import { formGridStyle } from "#service/operator/style/form-grid-style";
import { formStyle } from "#service/operator/style/form-style";
import { frameStyle } from "#service/operator/style/frame-style";
import { incidentStyle } from "#service/operator/style/incident-style";
import { listStyle } from "#service/operator/style/list-style";
import { locationStyle } from "#service/operator/style/location-style";
import { manyStyle } from "#service/operator/style/many-style";
import { monitorStyle } from "#service/operator/style/monitor-style";
import { publishingStyle } from "#service/operator/style/publishing-style";
import { reportStyle } from "#service/operator/style/report-style";
import { settingsStyle } from "#service/operator/style/settings-style";
import { startStyle } from "#service/operator/style/start-style";
import { touchStyle } from "#service/operator/style/touch-style";
import { datesStyle } from "#service/operator/style/dates-style";
import { workStyle } from "#service/operator/style/work-style";
import { style } from "#web/page/style";
import { writtenStyle } from "#web/page/written-style";

/** The looks of the operator's pages: those of all pages, and a frame, lists and forms. */
export const operatorStyle: string = `${style}${writtenStyle}${frameStyle}${manyStyle}${listStyle}${formStyle}${formGridStyle}${workStyle}${datesStyle}${chartPageStyle}${monitorStyle}${settingsStyle}${reportStyle}${publishingStyle}${startStyle}${channelStyle}${changeStyle}${compactStyle}${incidentStyle}${locationStyle}${touchStyle}`;
