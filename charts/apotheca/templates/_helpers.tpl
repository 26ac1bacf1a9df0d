{{- define "apotheca.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) }}
{{- $name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "apotheca.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* What finds the pods of a role: web or worker. */}}
{{- define "apotheca.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "apotheca.secret" -}}
{{ .Values.existingSecret | default (include "apotheca.name" .) }}
{{- end }}

{{/* CloudNativePG keeps the connection string of the owner of the database in this Secret, as `uri`. */}}
{{- define "apotheca.databaseSecret" -}}
{{ .Values.database.existingSecret | default (printf "%s-db-app" (include "apotheca.name" .)) }}
{{- end }}

{{/*
A setting as the server reads it: YAML takes on and off for truth values, and Helm writes large numbers as 1e+06 unless as JSON. One without
a value is empty, which the server takes for absent.
*/}}
{{- define "apotheca.setting" -}}
{{- $name := first . }}
{{- $value := last . }}
{{- if has $name (list "PORT" "HOST" "DATABASE_URL" "APOTHECA_ROLE" "APOTHECA_DATA_DIR" "PG_BIN_DIR") }}
{{- fail (printf "settings.%s cannot be set: the chart's pods have one already." $name) }}
{{- end }}
{{- if kindIs "bool" $value }}
{{- ternary "on" "off" $value }}
{{- else if kindIs "slice" $value }}
{{- join "," $value }}
{{- else if not (kindIs "invalid" $value) }}
{{- kindIs "string" $value | ternary $value (toJson $value) }}
{{- end }}
{{- end }}

{{/* How the server is spoken to: by TLS where it has a certificate. An empty setting counts as none. */}}
{{- define "apotheca.scheme" -}}
{{ ternary "https" "http" (not (empty .Values.settings.APOTHECA_TLS_CERT)) }}
{{- end }}

{{/* A Deployment of one role. */}}
{{- define "apotheca.deployment" -}}
{{- $values := index .root.Values .role }}
{{- $scheme := include "apotheca.scheme" .root | upper }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "apotheca.name" .root }}-{{ .role }}
  labels:
    {{- include "apotheca.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  replicas: {{ $values.replicas }}
  selector:
    matchLabels:
      {{- include "apotheca.selector" . | nindent 6 }}
  strategy:
    # The new version is ready before the old one goes. Both run on the new schema (docs/operations.md#upgrading).
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- include "apotheca.selector" . | nindent 8 }}
      annotations:
        # New settings start new pods.
        checksum/settings: {{ toYaml .root.Values.settings | sha256sum }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      # APOTHECA_DRAIN_SECONDS, and what an operation needs that cannot be begun anew.
      terminationGracePeriodSeconds: {{ .root.Values.settings.APOTHECA_DRAIN_SECONDS | default 5 | int | add 115 }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: apotheca
          {{- /* Helm takes a tag of digits for a number. */}}
          {{- $tag := .root.Values.image.tag | default .root.Chart.AppVersion }}
          image: {{ printf "%s:%s" .root.Values.image.repository (kindIs "string" $tag | ternary $tag (toJson $tag)) | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          env:
            - { name: APOTHECA_ROLE, value: {{ .role }} }
            - name: DATABASE_URL
              valueFrom:
                secretKeyRef: { name: {{ include "apotheca.databaseSecret" .root }}, key: uri }
            {{- range $name, $value := .root.Values.settings }}
            - { name: {{ $name }}, value: {{ include "apotheca.setting" (list $name $value) | quote }} }
            {{- end }}
          envFrom:
            - secretRef: { name: {{ include "apotheca.secret" .root }} }
          ports:
            - { name: http, containerPort: 3000 }
          startupProbe:
            httpGet: { path: /healthz, port: http, scheme: {{ $scheme }} }
            periodSeconds: 2
            # An hour: it listens once it has migrated the control database, and building an index there takes long.
            failureThreshold: 1800
          livenessProbe:
            httpGet: { path: /healthz, port: http, scheme: {{ $scheme }} }
            periodSeconds: 10
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /readyz, port: http, scheme: {{ $scheme }} }
            # Twice within APOTHECA_DRAIN_SECONDS.
            periodSeconds: 2
            failureThreshold: 1
            timeoutSeconds: 5
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /var/lib/apotheca }
            # Certificates by which database servers are verified.
            - { name: tmp, mountPath: /tmp }
            {{- with .root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: {{ include "apotheca.name" .root }} }
        - name: tmp
          emptyDir: { sizeLimit: 16Mi }
        {{- with .root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "apotheca.selector" . | nindent 14 }}
      {{- with .root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
