/** What this binary is. The build puts both values in; from source they read as a development build. */
declare const TOKENIX_VERSION: string | undefined;
declare const TOKENIX_COMMIT: string | undefined;

export const VERSION: string = typeof TOKENIX_VERSION === "string" ? TOKENIX_VERSION : "0.1.0-dev";
export const COMMIT: string = typeof TOKENIX_COMMIT === "string" ? TOKENIX_COMMIT : "";

/** True inside a compiled executable: there `process.execPath` is tokenix itself, not Bun. */
export const IS_COMPILED: boolean = typeof TOKENIX_VERSION === "string";

/** A build that never replaces itself: from source, or compiled outside a release. */
export const IS_DEVELOPMENT: boolean = VERSION.includes("-dev");
