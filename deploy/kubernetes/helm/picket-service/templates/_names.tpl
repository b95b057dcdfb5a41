{{- define "service.name" -}}
{{- /* A release may have dots in its name, a Service may not. */ -}}
{{- $release := .Release.Name | replace "." "-" -}}
{{- if contains "picket-service" $release -}}
{{- $release | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-picket-service" ($release | trunc 37 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "service.selector" -}}
app.kubernetes.io/name: picket-service
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "service.labels" -}}
{{ include "service.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "service.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository ($image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
