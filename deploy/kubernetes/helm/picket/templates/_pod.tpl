{{- /* The pod of both kinds. */ -}}
{{- define "picket.pod" -}}
metadata:
  labels:
    {{- include "picket.labels" . | nindent 4 }}
    {{- range $name, $value := .Values.podLabels }}
    {{- if hasKey (include "picket.labels" $ | fromYaml) $name }}
    {{- fail (printf "podLabels may not have %s: the chart sets it, and finds its pods by such labels." $name) }}
    {{- end }}
    {{ $name }}: {{ $value | quote }}
    {{- end }}
  annotations:
    picket/settings-checksum: {{ include (print $.Template.BasePath "/settings.yaml") . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "picket.name" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  # The agent's drain, and then the time in which it closes its files.
  terminationGracePeriodSeconds: {{ add .Values.drainTimeoutSeconds 15 }}
  dnsPolicy: {{ .Values.dnsPolicy }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . | quote }}
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
    {{- /* So that monitors can ping without privilege: one of the sysctls that Kubernetes counts as safe. */}}
    sysctls:
      - name: net.ipv4.ping_group_range
        value: "0 2147483647"
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if eq .Values.kind "StatefulSet" }}
  topologySpreadConstraints:
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "picket.selector" $ | nindent 10 }}
    {{- end }}
  {{- end }}
  containers:
    - name: picket
      image: {{ include "picket.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      env:
        {{- include "picket.env" . | nindent 8 }}
      envFrom:
        - configMapRef:
            name: {{ include "picket.name" . }}-settings
      ports:
        - name: http
          containerPort: 8686
          protocol: TCP
      livenessProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 10
        timeoutSeconds: 3
        failureThreshold: 3
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 3
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop:
            - ALL
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        {{- include "picket.mounts" . | nindent 8 }}
  volumes:
    {{- include "picket.volumes" . | nindent 4 }}
{{- end -}}

{{- define "picket.env" -}}
- name: PICKET_NODE
  valueFrom:
    fieldRef:
      fieldPath: spec.nodeName
# The same after the pod was replaced, so that the service knows the agent again.
- name: PICKET_INSTANCE
  valueFrom:
    fieldRef:
      fieldPath: {{ ternary "spec.nodeName" "metadata.name" (eq .Values.kind "DaemonSet") }}
{{- range $name, $from := .Values.secretSettings }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $from.existingSecret | quote }}
      key: {{ $from.key | quote }}
{{- end }}
{{- end -}}

{{- define "picket.mounts" -}}
- name: state
  mountPath: /var/lib/picket
# A directory and no subPath: only that is renewed when the token is rotated.
- name: token
  mountPath: /etc/picket/token
  readOnly: true
{{- if .Values.authorities.existingConfigMap }}
- name: authorities
  mountPath: /etc/picket/authorities
  readOnly: true
{{- end }}
{{- if .Values.secrets.existingSecret }}
- name: secrets
  mountPath: /etc/picket/secrets
  readOnly: true
{{- end }}
{{- if .Values.clientCertificate.existingSecret }}
- name: client-certificate
  mountPath: /etc/picket/client-certificate
  readOnly: true
{{- end }}
{{- end -}}

{{- define "picket.volumes" -}}
{{- $state := include "picket.state" . -}}
- name: token
  secret:
    secretName: {{ .Values.token.existingSecret | quote }}
    defaultMode: 0440
    items:
      - key: {{ .Values.token.key | quote }}
        path: token
{{- if eq $state "emptyDir" }}
- name: state
  emptyDir:
    sizeLimit: {{ .Values.state.size }}
{{- else if eq $state "hostPath" }}
# Not DirectoryOrCreate: the kubelet would make it for root alone, and the agent could keep nothing in it.
- name: state
  hostPath:
    path: {{ include "picket.hostPath" . | quote }}
    type: Directory
{{- end }}
{{- with .Values.authorities.existingConfigMap }}
- name: authorities
  configMap:
    name: {{ . | quote }}
    items:
      - key: {{ $.Values.authorities.key | quote }}
        path: ca.crt
{{- end }}
{{- with .Values.secrets.existingSecret }}
- name: secrets
  secret:
    secretName: {{ . | quote }}
    defaultMode: 0440
{{- end }}
{{- with .Values.clientCertificate.existingSecret }}
- name: client-certificate
  secret:
    secretName: {{ . | quote }}
    defaultMode: 0440
{{- end }}
{{- end -}}
