/** The door: argv to a hot door or the command table. Nothing heavy is imported here. */
process.stdout.write("tokenix\n");
