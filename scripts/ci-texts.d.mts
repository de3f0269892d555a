export declare const CI_TEXTS: string;
