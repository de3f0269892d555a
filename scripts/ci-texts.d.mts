export declare const CI_TEXTS: Readonly<Record<string, string>>;
