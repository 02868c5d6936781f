// The tests type into fields and look at what a page drew.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Kit.Unity.Play")]
