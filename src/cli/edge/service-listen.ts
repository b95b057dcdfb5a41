/** Where the service listens unless it is said; apart, so that a health check does not load the service. */
export const serviceListenDefault = "127.0.0.1:8787";
