// Lets the tests type into fields and read what a page drew.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Kit.Unity.Play")]
