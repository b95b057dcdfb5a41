{{- define "picket.name" -}}
{{- /* A release may have dots in its name, a Service may not. */ -}}
{{- $release := .Release.Name | replace "." "-" -}}
{{- if contains "picket" $release -}}
{{- $release | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-picket" ($release | trunc 45 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "picket.selector" -}}
app.kubernetes.io/name: picket
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "picket.labels" -}}
{{ include "picket.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "picket.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository ($image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- /* A volume claim outlives its pod, so it is the default wherever each pod may have one of its own. */ -}}
{{- define "picket.state" -}}
{{- $daemons := eq .Values.kind "DaemonSet" -}}
{{- $state := .Values.state.kind | default (ternary "emptyDir" "volumeClaim" $daemons) -}}
{{- if and $daemons (eq $state "volumeClaim") -}}
{{- fail "state.kind volumeClaim needs kind StatefulSet: the pods of a DaemonSet cannot have a claim each. Set state.kind to emptyDir or hostPath." -}}
{{- end -}}
{{- if and (not $daemons) (eq $state "hostPath") -}}
{{- fail "state.kind hostPath needs kind DaemonSet: two agents on one node would share the directory. Set state.kind to volumeClaim or emptyDir." -}}
{{- end -}}
{{- $state -}}
{{- end -}}

{{- /* Two releases on a node would share any other directory. */ -}}
{{- define "picket.hostPath" -}}
{{- .Values.state.hostPath | default (printf "/var/lib/picket/%s/%s" .Release.Namespace (include "picket.name" .)) -}}
{{- end -}}
